/**
 * Instruments: one for each thing that the commands measure.
 *
 * <p>Each belongs to the thread that it measures and is read when that has ended. Start reading at
 * {@link dev.escapement.bench.measure.FrameRecorder} and {@link dev.escapement.bench.measure.TickTrace}.
 */
@NullMarked
package dev.escapement.bench.measure;

import org.jspecify.annotations.NullMarked;
