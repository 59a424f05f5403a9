-- The sample's own tables, for H2 and PostgreSQL. Runs at every start and on every node: what is
-- there already stays as it is. The JPA provider reads one statement per line.
CREATE SEQUENCE IF NOT EXISTS orders_seq START WITH 50 INCREMENT BY 50
CREATE SEQUENCE IF NOT EXISTS shipment_seq START WITH 50 INCREMENT BY 50
CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY, sku VARCHAR(40) NOT NULL, quantity INTEGER NOT NULL, status VARCHAR(10) NOT NULL, message_id VARCHAR(36) NOT NULL, version INTEGER NOT NULL)
CREATE TABLE IF NOT EXISTS shipment (id BIGINT PRIMARY KEY, order_id BIGINT NOT NULL, sku VARCHAR(40) NOT NULL, quantity INTEGER NOT NULL)
CREATE INDEX IF NOT EXISTS shipment_order_id ON shipment (order_id)
CREATE TABLE IF NOT EXISTS stock (sku VARCHAR(40) PRIMARY KEY, quantity BIGINT NOT NULL)
INSERT INTO stock (sku, quantity) SELECT 'BOOK-1', 100000000 WHERE NOT EXISTS (SELECT 1 FROM stock WHERE sku = 'BOOK-1')
INSERT INTO stock (sku, quantity) SELECT 'PEN-1', 100000000 WHERE NOT EXISTS (SELECT 1 FROM stock WHERE sku = 'PEN-1')
INSERT INTO stock (sku, quantity) SELECT 'PEN-2', 100000000 WHERE NOT EXISTS (SELECT 1 FROM stock WHERE sku = 'PEN-2')
INSERT INTO stock (sku, quantity) SELECT 'BOOK-2', 500 WHERE NOT EXISTS (SELECT 1 FROM stock WHERE sku = 'BOOK-2')
INSERT INTO stock (sku, quantity) SELECT 'MUG-1', 5 WHERE NOT EXISTS (SELECT 1 FROM stock WHERE sku = 'MUG-1')
