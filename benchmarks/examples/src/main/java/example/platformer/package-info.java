/**
 * A game in a plane, in libGDX and Box2D. Start reading at {@link example.platformer.Platformer}; the page is
 * render-thread/docs/backends.md.
 */
@NullMarked
package example.platformer;

import org.jspecify.annotations.NullMarked;
