/**
 * Finds out whether a simulation is as repeatable as recording, scrubbing and lockstep need it to be.
 *
 * <p>Physics thread only. Start reading at {@link dev.escapement.physics.verify.SyncTest}.
 */
@NullMarked
package dev.escapement.physics.verify;

import org.jspecify.annotations.NullMarked;
