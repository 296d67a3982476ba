package dev.escapement.bench.measure;

/**
 * What came of writing a run down.
 *
 * @param file    where the log is
 * @param ticks   how many ticks it has, read back from the file
 * @param bytes   how long it is
 * @param failure why it is not the whole run, empty if it is
 */
public record Recorded(String file, long ticks, long bytes, String failure) {}
