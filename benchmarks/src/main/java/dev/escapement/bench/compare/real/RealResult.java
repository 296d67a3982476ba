package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.measure.Distribution.Summary;

/**
 * What was measured of one contestant on real threads, under the names of the JSON file's keys.
 *
 * @param slot                  its errors are against the slots that frames were meant for
 * @param displayedErrorMicros  animation error by the slots that frames were in time for, absolute
 * @param completionErrorMicros animation error by when drawing was complete, absolute: all jitter of the operating system is in it
 * @param missedSlots           slots without a frame because the one before took too long, warm-up included
 */
public record RealResult(Result slot, Summary displayedErrorMicros, Summary completionErrorMicros, long missedSlots) {}
