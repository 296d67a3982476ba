/**
 * Gamepads through SDL 3, a native library, and its binding LWJGL.
 *
 * <p>Read on the physics thread; opened and closed on a thread of their own. Start reading at
 * {@link dev.escapement.physics.sdl.SdlGamepads}.
 */
@NullMarked
package dev.escapement.physics.sdl;

import org.jspecify.annotations.NullMarked;
