package dev.escapement.physics;

import java.util.concurrent.CompletableFuture;

/**
 * What a {@link SpawnCommand} was promised.
 *
 * @param id     the {@link dev.escapement.state.snapshot.BodyId} of the body to come, never that of another one. If the
 *               command is refused, cancelled before it runs, or throws, no body will have it
 * @param answer is completed as that of a {@link Command}
 * @param <T>    what comes of the command
 * @see PhysicsService#spawn
 */
public record Spawned<T>(long id, CompletableFuture<Answer<T>> answer) {}
