/**
 * Protection against user code that throws or hangs: the guard around each call of user code, and the polled devices. Not API.
 *
 * <p>Start reading at {@link dev.escapement.physics.guard.UserCodeGuard}.
 */
@NullMarked
package dev.escapement.physics.guard;

import org.jspecify.annotations.NullMarked;
