/**
 * The handoff: one writer publishes snapshots, any number of readers each hold a window of the latest consecutive ones.
 * No thread waits, nothing is copied.
 *
 * <p>The physics thread uses {@link dev.escapement.state.exchange.SnapshotWriter}, every reading thread a {@link
 * dev.escapement.state.exchange.SnapshotReader} of its own. Start reading at {@link dev.escapement.state.exchange.SnapshotExchange}.
 */
@NullMarked
package dev.escapement.state.exchange;

import org.jspecify.annotations.NullMarked;
