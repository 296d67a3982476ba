/** Players on a far server, who see at once what they do. Start reading at {@link example.prediction.Player}; the page is docs/server.md. */
@NullMarked
package example.prediction;

import org.jspecify.annotations.NullMarked;
