/** LWJGL from scratch. Start reading at {@link example.lwjgl.LwjglExample}; the page is render-thread/docs/backends.md. */
@NullMarked
package example.lwjgl;

import org.jspecify.annotations.NullMarked;
