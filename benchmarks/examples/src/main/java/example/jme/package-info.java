/**
 * An existing jMonkeyEngine application, before and after. Start reading at {@link example.jme.CrateYard}; the page is
 * render-thread/docs/backends.md.
 */
@NullMarked
package example.jme;

import org.jspecify.annotations.NullMarked;
