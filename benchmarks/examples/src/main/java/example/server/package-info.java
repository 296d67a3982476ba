/** A server without a renderer. Start reading at {@link example.server.GameServer}; the page is physics-thread/docs/server.md. */
@NullMarked
package example.server;

import org.jspecify.annotations.NullMarked;
