/**
 * The handoff: one writer publishes snapshots, and each reader holds a window of the latest consecutive ones. No thread waits or copies.
 *
 * <p>The physics thread uses {@link dev.escapement.state.exchange.SnapshotWriter}, every reading thread a {@link
 * dev.escapement.state.exchange.SnapshotReader} of its own. Start reading at {@link dev.escapement.state.exchange.SnapshotExchange}.
 */
@NullMarked
package dev.escapement.state.exchange;

import org.jspecify.annotations.NullMarked;
