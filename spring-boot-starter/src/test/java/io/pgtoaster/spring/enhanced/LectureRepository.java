package io.pgtoaster.spring.enhanced;

import io.pgtoaster.spring.data.BlobRepository;
import io.pgtoaster.spring.data.DocumentRepository;
import org.springframework.data.jpa.repository.JpaRepository;

interface LectureRepository
    extends JpaRepository<Lecture, Lecture.Id>,
        BlobRepository<Lecture.Id>,
        DocumentRepository<Lecture.Id> {}
