/**
 * Native libraries of engines and devices, for the platform that the JVM runs on.
 *
 * <p>Any thread. Start reading at {@link dev.escapement.physics.platform.NativeResource}.
 */
@NullMarked
package dev.escapement.physics.platform;

import org.jspecify.annotations.NullMarked;
