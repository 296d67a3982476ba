/**
 * What keeps the physics thread usable when user code throws or hangs: the guard around each call of user code, and the devices that it
 * polls. Not API.
 *
 * <p>Start reading at {@link dev.escapement.physics.guard.UserCodeGuard}.
 */
@NullMarked
package dev.escapement.physics.guard;

import org.jspecify.annotations.NullMarked;
