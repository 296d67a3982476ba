/**
 * Due times: when the next tick is due, which of them are skipped or slowed down, and the requests to pause or to change the speed. Not
 * API.
 *
 * <p>Start reading at {@link dev.escapement.physics.schedule.TickSchedule}. {@code Dilation} chooses the speed, {@code TimeAccount} counts
 * the time that was lost.
 */
@NullMarked
package dev.escapement.physics.schedule;

import org.jspecify.annotations.NullMarked;
