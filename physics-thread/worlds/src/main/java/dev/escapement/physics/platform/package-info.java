/**
 * The platform that a JVM runs on, for engines and devices that come with native libraries.
 *
 * <p>Any thread. Start reading at {@link dev.escapement.physics.platform.Platform}.
 */
@NullMarked
package dev.escapement.physics.platform;

import org.jspecify.annotations.NullMarked;
