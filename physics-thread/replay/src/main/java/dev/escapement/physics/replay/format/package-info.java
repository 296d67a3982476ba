/**
 * Encoder, decoder and grammar of the bytes of a log. Not exported. Start reading at {@code LogFormat}.
 */
@NullMarked
package dev.escapement.physics.replay.format;

import org.jspecify.annotations.NullMarked;
