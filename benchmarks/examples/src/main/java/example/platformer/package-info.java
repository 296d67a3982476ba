/** A game in a plane, in libGDX and Box2D. Start reading at {@link example.platformer.Platformer}; the page is docs/libgdx.md. */
@NullMarked
package example.platformer;

import org.jspecify.annotations.NullMarked;
