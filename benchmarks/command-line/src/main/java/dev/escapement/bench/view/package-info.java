/**
 * The world to look at: the window of {@code escapement run --window}, with its figures, its keys and the same world beside itself as game
 * loops show it; and the film of {@code escapement film}.
 *
 * <p>Start reading at {@link dev.escapement.bench.view.Viewer} and at {@link dev.escapement.bench.view.Film}.
 */
@NullMarked
package dev.escapement.bench.view;

import org.jspecify.annotations.NullMarked;
