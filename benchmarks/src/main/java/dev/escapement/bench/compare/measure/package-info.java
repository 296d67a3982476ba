/**
 * What is measured of a picture, frame by frame.
 *
 * <p>Render thread. Start reading at {@link dev.escapement.bench.compare.measure.FrameMeasure}.
 */
@NullMarked
package dev.escapement.bench.compare.measure;

import org.jspecify.annotations.NullMarked;
