/**
 * Gamepad input through SDL 3, a native library, and its binding LWJGL.
 *
 * <p>Gamepads are read on the physics thread, and opened and closed on a separate thread. Start reading at
 * {@link dev.escapement.physics.sdl.SdlGamepads}.
 */
@NullMarked
package dev.escapement.physics.sdl;

import org.jspecify.annotations.NullMarked;
