package com.example.recordings;

import io.pgtoaster.spring.data.BlobRepository;
import io.pgtoaster.spring.data.DocumentRepository;
import org.springframework.data.jpa.repository.JpaRepository;

public interface RecordingRepository
    extends JpaRepository<Recording, Long>, BlobRepository<Long>, DocumentRepository<Long> {}
