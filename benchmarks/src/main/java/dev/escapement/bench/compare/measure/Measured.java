package dev.escapement.bench.compare.measure;

import dev.escapement.bench.compare.contest.Result;

/**
 * What one contestant did.
 *
 * @param result in figures
 * @param curves frame by frame
 */
public record Measured(Result result, Curves curves) {}
