/**
 * Requests of other threads to the physics thread: commands and queries with their answers. Not API.
 *
 * <p>Start reading at {@link dev.escapement.physics.request.CommandQueue}.
 */
@NullMarked
package dev.escapement.physics.request;

import org.jspecify.annotations.NullMarked;
