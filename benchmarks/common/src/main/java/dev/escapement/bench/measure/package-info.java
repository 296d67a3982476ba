/**
 * Instruments for the measurements of the commands.
 *
 * <p>Each instrument belongs to the thread that it measures; other threads read it after that thread has ended. Start reading at {@link
 * dev.escapement.bench.measure.FrameRecorder} and {@link dev.escapement.bench.measure.TickTrace}.
 */
@NullMarked
package dev.escapement.bench.measure;

import org.jspecify.annotations.NullMarked;
