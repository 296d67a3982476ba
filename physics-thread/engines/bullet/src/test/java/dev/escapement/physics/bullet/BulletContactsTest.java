package dev.escapement.physics.bullet;

import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.ContactContract;

class BulletContactsTest extends ContactContract<BulletSimulation> {

    @Override
    protected BulletSimulation create(BoxPile pile) {
        return new BulletSimulation(pile);
    }
}
