/**
 * Writes snapshots: takes the poses of a tick from a simulation, checks them, and computes what readers need to blend them.
 *
 * <p>A pose comes from {@link dev.escapement.state.capture.PoseWriter#set PoseWriter.set} into the published block in four steps:
 *
 * <ol>
 *   <li>Stored: {@code WrittenPoses} puts it into the block of the snapshot that is written. {@code ChangedBlocks} has made that block a copy
 *       of the tick before, unless all of its poses are replaced.
 *   <li>Checked: {@code WrittenPoses} checks the block once it is complete, or when the simulation has returned: {@code PosePasses} all of its
 *       poses at once, {@code SinglePoses} poses that are few or not regular. A bad pose is replaced by the body's last good one.
 *   <li>Completed: {@code Capture} moves the poses of resting bodies to the origin of the tick, and {@code ChangedBlocks} takes from the tick
 *       before all blocks in which nothing has changed.
 *   <li>Explained: {@code Capture} adds the motion breaks, and {@code CorrectedMotion} the errors of what
 *       readers have, if ticks ran again. Then the snapshot can be published.
 * </ol>
 *
 * <p>{@code BodySlots} knows which body is in which slot, and {@code FreeIds} gives other threads the ids of bodies that are yet to come.
 *
 * <p>Physics thread only, except that any thread may reserve the ids of bodies that are yet to be spawned.
 * {@link dev.escapement.state.capture.PoseWriter} is what a simulation sees; start reading there.
 */
@NullMarked
package dev.escapement.state.capture;

import org.jspecify.annotations.NullMarked;
