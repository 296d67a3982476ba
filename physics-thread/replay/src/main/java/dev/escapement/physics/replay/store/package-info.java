/**
 * Compressed storage of the last ticks of a run, with their states and inputs. Not exported. Start reading at {@code HistoryStore}.
 */
@NullMarked
package dev.escapement.physics.replay.store;

import org.jspecify.annotations.NullMarked;
