package com.example.recordings;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Recordings {
  private final RecordingRepository repository;

  Recordings(RecordingRepository repository) {
    this.repository = repository;
  }

  @Transactional
  public long start(String title) {
    return repository.save(new Recording(new Details(title, 0, java.util.List.of()))).getId();
  }

  @Transactional
  public void add(long id, byte[] audio) {
    Recording recording = repository.findById(id).orElseThrow();
    recording.audio.append(audio);
    recording.details.increment("seconds", 1);
  }

  @Transactional
  public void rename(long id, String title) {
    repository.findById(id).orElseThrow().details.set("title", title);
  }

  @Transactional
  public void addAndFail(long id, byte[] audio) {
    add(id, audio);
    throw new IllegalStateException("after the append");
  }

  @Transactional(readOnly = true)
  public byte[] audio(long id) {
    Recording recording = repository.findById(id).orElseThrow();
    return recording.audio.read(0, (int) recording.audio.length());
  }

  @Transactional(readOnly = true)
  public Details details(long id) {
    return repository.findById(id).orElseThrow().details.load();
  }
}
