/**
 * Schedules of frames: slots of a rate, or the display's rhythm, which {@link dev.escapement.render.display.DisplayRhythm} learns from the
 * calls of a renderer.
 *
 * <p>Not exported.
 */
@NullMarked
package dev.escapement.render.display;

import org.jspecify.annotations.NullMarked;
