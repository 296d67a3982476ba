/**
 * What the window of {@code escapement run --window} adds to the library's: a camera and bodies that follow the mouse, keys for time, and the
 * same world beside itself as a common game loop shows it.
 *
 * <p>Start reading at {@link dev.escapement.bench.view.Viewer}.
 */
@NullMarked
package dev.escapement.bench.view;

import org.jspecify.annotations.NullMarked;
