package dev.escapement.physics.dyn4j;

import dev.escapement.physics.world.ExistingWorldContactsContract;
import org.dyn4j.dynamics.Body;
import org.dyn4j.world.World;
import org.jspecify.annotations.NullMarked;

@NullMarked
class Dyn4jExistingWorldContactsTest extends ExistingWorldContactsContract<World<Body>, Body>
        implements Dyn4jExistingWorlds {}
