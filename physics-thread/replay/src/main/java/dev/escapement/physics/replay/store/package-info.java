/**
 * The last ticks of a run in memory, and how they run again. Not exported. Start reading at {@code HistoryStore}.
 */
@NullMarked
package dev.escapement.physics.replay.store;

import org.jspecify.annotations.NullMarked;
