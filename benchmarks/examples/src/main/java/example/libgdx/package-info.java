/** An existing libGDX application, before and after. Start reading at {@link example.libgdx.BarrelGame}; the page is docs/libgdx.md. */
@NullMarked
package example.libgdx;

import org.jspecify.annotations.NullMarked;
