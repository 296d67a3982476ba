/**
 * Protection against user code that throws or hangs: the guard around each call of user code, and reports. Not API.
 *
 * <p>Start reading at {@link dev.escapement.physics.usercode.UserCodeGuard}.
 */
@NullMarked
package dev.escapement.physics.usercode;

import org.jspecify.annotations.NullMarked;
