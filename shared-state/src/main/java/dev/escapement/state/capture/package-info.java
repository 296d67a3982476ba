/**
 * Writes snapshots: takes the poses of a tick from a simulation, checks them, and computes what readers need to blend them.
 *
 * <p>Physics thread only, except that any thread may reserve the ids of bodies that are yet to be spawned.
 * {@link dev.escapement.state.capture.PoseWriter} is what a simulation sees; start reading there.
 */
@NullMarked
package dev.escapement.state.capture;

import org.jspecify.annotations.NullMarked;
