package io.pgtoaster.spring.data;

import org.springframework.data.jpa.repository.JpaRepository;

interface MeetingRepository
    extends JpaRepository<Meeting, Long>, BlobRepository<Long>, DocumentRepository<Long> {}
