/** A simulation of your own. Start reading at {@link example.engine.BouncingBalls}; the page is physics-thread/docs/engine.md. */
@NullMarked
package example.engine;

import org.jspecify.annotations.NullMarked;
