/**
 * The bytes of a log, written and read. Not exported. Start reading at {@code LogFormat}.
 */
@NullMarked
package dev.escapement.physics.replay.format;

import org.jspecify.annotations.NullMarked;
