package com.example.recordings;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class RecordingsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(RecordingsApplication.class, arguments);
  }
}
