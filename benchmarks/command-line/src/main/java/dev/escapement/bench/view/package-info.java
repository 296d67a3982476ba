/**
 * The window of {@code escapement run --window}: a camera and bodies that follow the mouse, keys that change the speed of time, and a
 * second picture of the same world as a common game loop would show it.
 *
 * <p>Start reading at {@link dev.escapement.bench.view.Viewer}.
 */
@NullMarked
package dev.escapement.bench.view;

import org.jspecify.annotations.NullMarked;
