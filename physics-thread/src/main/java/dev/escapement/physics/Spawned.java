package dev.escapement.physics;

import java.util.concurrent.CompletableFuture;

/**
 * What a {@link SpawnCommand} was promised.
 *
 * @param id     the {@link dev.escapement.state.snapshot.BodyId} of the body to come, never that of another one. If the
 *               answer is a failure, no body will have it
 * @param answer is completed as that of a {@link Command}; before the first tick of a simulation is published not until then,
 *               and exceptionally if that counts its bodies, even if the command ran
 * @param <T>    what comes of the command
 * @see PhysicsService#spawn
 */
public record Spawned<T>(long id, CompletableFuture<Answer<T>> answer) {}
