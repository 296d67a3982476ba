/**
 * Instruments for the measurements of the commands.
 *
 * <p>Each belongs to the thread that it measures, and is read after the end of that thread. Start reading at
 * {@link dev.escapement.bench.measure.FrameRecorder} and {@link dev.escapement.bench.measure.TickTrace}.
 */
@NullMarked
package dev.escapement.bench.measure;

import org.jspecify.annotations.NullMarked;
