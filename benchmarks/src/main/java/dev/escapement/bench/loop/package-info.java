/**
 * The irregular game loops of the literature: those whose step varies, whose number of steps does not follow from the time that
 * passed, or that do not tell every step. They are here to be compared with, each with a test that shows what is wrong with it;
 * those with a constant tick are policies in {@code dev.escapement.physics.loop}.
 *
 * <p>One thread.
 */
@NullMarked
package dev.escapement.bench.loop;

import org.jspecify.annotations.NullMarked;
