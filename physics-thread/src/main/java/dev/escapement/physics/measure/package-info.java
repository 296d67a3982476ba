/**
 * The measurements of a run: {@link dev.escapement.physics.measure.RunStats} for users and instruments, events for the Flight Recorder. Not
 * API.
 */
@NullMarked
package dev.escapement.physics.measure;

import org.jspecify.annotations.NullMarked;
