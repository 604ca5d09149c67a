package com.example.recordings;

import java.util.List;

public record Details(String title, int seconds, List<String> tags) {}
