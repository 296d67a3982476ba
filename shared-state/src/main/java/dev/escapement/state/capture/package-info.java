/**
 * Writes snapshots: takes the poses of a tick from a simulation, checks them, and computes their motion for readers.
 *
 * <p>A pose comes from {@link dev.escapement.state.capture.PoseWriter#set PoseWriter.set} into the published block in four steps:
 *
 * <ol>
 *   <li>Stored: {@code WrittenPoses} puts it into the block of the new snapshot. {@code DirtyBlocks} first makes that block a copy of the
 *       tick before, unless the simulation replaces all of its poses.
 *   <li>Checked: {@code WrittenPoses} checks the block once it is complete, or when the simulation has returned. {@code PoseChecks} checks
 *       all poses of a block at once, or single poses that are few or not regular. The body's last good pose replaces a bad one.
 *   <li>Completed: {@code Capture} moves the poses of resting bodies to the origin of the tick, and {@code DirtyBlocks} copies all
 *       unchanged blocks from the tick before.
 *   <li>Explained: teleports, spins and spawns have added their motion breaks by then; {@code Capture} adds those of bodies that are never
 *       blended. Then the writer can publish the snapshot.
 * </ol>
 *
 * <p>{@code BodySlots} stores the generation of each slot. Three more classes are used only in runs that need them: {@code Reservations}
 * reserves ids of future bodies on any thread, {@code Resimulation} captures ticks that run again, and {@code MovedBodies} finds the bodies
 * that moved. All else is for the physics thread. Start reading at {@link dev.escapement.state.capture.PoseWriter}, which a simulation
 * sees.
 */
@NullMarked
package dev.escapement.state.capture;

import org.jspecify.annotations.NullMarked;
