/**
 * Writing a snapshot: takes the poses of a tick from a simulation and works out what readers rely on.
 *
 * <p>Physics thread only, except that any thread may reserve the ids of bodies to come.
 * {@link dev.escapement.state.capture.PoseWriter} is what a simulation sees; start reading there.
 */
@NullMarked
package dev.escapement.state.capture;

import org.jspecify.annotations.NullMarked;
