/**
 * Extensions of a run: hooks that accompany it, and sources of its ticks.
 *
 * <ul>
 *   <li>A {@link TickHook} accompanies a run. It gets a {@link TickAccess}, and may seek, re-simulate, and continue with other input.
 *   <li>A {@link TickSource} has the ticks of a run that repeats or follows another one.
 * </ul>
 */
@NullMarked
package dev.escapement.physics.spi;

import org.jspecify.annotations.NullMarked;
