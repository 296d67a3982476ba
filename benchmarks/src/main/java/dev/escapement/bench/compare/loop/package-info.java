/**
 * The loops that step and draw in one thread, put together from the policies of {@code dev.escapement.physics.loop} and the irregular
 * loops of {@code dev.escapement.bench.loop}. They run on any {@link dev.escapement.bench.compare.scene.WorkClock}.
 *
 * <p>One thread. Start reading at {@link dev.escapement.bench.compare.loop.GameLoop}.
 */
@NullMarked
package dev.escapement.bench.compare.loop;

import org.jspecify.annotations.NullMarked;
